// SPDX-License-Identifier: Apache-2.0

globalThis.shop = {
  pay: function pay(items) {
    return runTask(function startPayment() {
      const cart = new Cart(items);
      return cart.checkout();
    });
  },
};
