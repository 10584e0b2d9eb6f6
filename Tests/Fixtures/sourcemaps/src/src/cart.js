// SPDX-License-Identifier: Apache-2.0

class Cart {
  constructor(items) {
    this.items = items;
    this.total = 0;
  }

  checkout() {
    for (const item of this.items) addItem(this, item);
    return this.total;
  }
}

function addItem(cart, item) {
  cart.total += checkStock(item, item.amount);
}
