// A random generator that is decided by its seed.
const UINT32 = 2 ** 32;
const WEYL_INCREMENT = 0x9e3779b9;

export const ALPHABETS = {
  digits: '0123456789',
  lower: 'abcdefghijklmnopqrstuvwxyz',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  hex: '0123456789abcdef',
};
ALPHABETS.letters = ALPHABETS.lower + ALPHABETS.upper;
ALPHABETS.alphanumeric = ALPHABETS.letters + ALPHABETS.digits;
ALPHABETS.base64 = `${ALPHABETS.alphanumeric}+/`;
ALPHABETS.base64url = `${ALPHABETS.alphanumeric}-_`;

/** The xoshiro128** generator. */
export class Random {
  #state = new Uint32Array(4);

  /** @param {number} seed a whole number; equal seeds give equal sequences */
  constructor(seed) {
    let weyl = seed >>> 0;
    for (let index = 0; index < 4; index += 1) {
      weyl = (weyl + WEYL_INCREMENT) >>> 0;
      let mixed = weyl ^ (weyl >>> 16);
      mixed = Math.imul(mixed, 0x21f0aaad);
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
      this.#state[index] = mixed ^ (mixed >>> 15);
    }
  }

  /** A whole number of 32 bits. */
  next() {
    const state = this.#state;
    const scrambled = Math.imul(state[1], 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0;
    const shifted = state[1] << 9;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = (state[3] << 11) | (state[3] >>> 21);
    return result;
  }

  /** From 0 to `below` - 1. */
  int(below) {
    return Math.floor((this.next() / UINT32) * below);
  }

  /** From `least` to `most`, both included. */
  between(least, most) {
    return least + this.int(most - least + 1);
  }

  chance(share) {
    return this.next() < share * UINT32;
  }

  pick(list) {
    return list[this.int(list.length)];
  }

  text(alphabet, length) {
    let text = '';
    for (let index = 0; index < length; index += 1) text += alphabet[this.int(alphabet.length)];
    return text;
  }

  hex(length) {
    return this.text(ALPHABETS.hex, length);
  }

  uuid() {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-a${this.hex(3)}-${this.hex(12)}`;
  }

  /** A copy of the list in a random order. */
  shuffled(list) {
    const copy = [...list];
    for (let last = copy.length - 1; last > 0; last -= 1) {
      const other = this.int(last + 1);
      [copy[last], copy[other]] = [copy[other], copy[last]];
    }
    return copy;
  }
}
