// SPDX-License-Identifier: Apache-2.0

function checkStock(item, amount) {
  // Fails for the last item of a cart.
  if (item.left < amount) {
    throw new RangeError("out of stock");
  }
  return item.left - amount;
}
