// What the symbol files beside this one were made from; see README.md. Lines are counted on in tests.
namespace shop {

struct Cart {
    int total;
    int checkout(int items);
};

[[gnu::always_inline]] static inline int price(int items) {
    volatile int *nowhere = nullptr;
    return *nowhere + items;
}

int Cart::checkout(int items) {
    total = price(items) + total;
    return total;
}

}  // namespace shop

extern "C" [[gnu::noinline]] int entry(int items) {
    shop::Cart cart{2};
    return cart.checkout(items) + 1;
}

int main() {
    return entry(3);
}
