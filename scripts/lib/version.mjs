// Compares versions, and checks the version ranges of `engines.node` and `rust-version`: `^x.y.z` and `>=x`, joined by `||`.

/** @returns {[number, number, number]} */
export function parseVersion(text) {
  const [major = 0, minor = 0, patch = 0] = text
    .replace(/^[^0-9]*/, '')
    .split(/[.-]/)
    .map(Number);
  return [major, minor, patch];
}

/** A comparison function for `Array.prototype.sort`. */
export function compareVersions(left, right) {
  const a = parseVersion(left);
  const b = parseVersion(right);
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

export function satisfies(version, range) {
  return range.split('||').some((part) => {
    const bound = part.trim();
    const atLeast = compareVersions(version, bound) >= 0;
    if (bound.startsWith('^')) return atLeast && parseVersion(version)[0] === parseVersion(bound)[0];
    if (bound.startsWith('>=')) return atLeast;
    return compareVersions(version, bound) === 0;
  });
}
