// Just enough of version ranges for `engines.node` and `rust-version`: `^x.y.z`, `>=x`, joined by `||`.

/** @returns {[number, number, number]} */
export function parseVersion(text) {
  const [major = 0, minor = 0, patch = 0] = text
    .replace(/^[^0-9]*/, '')
    .split(/[.-]/)
    .map(Number);
  return [major, minor, patch];
}

/** Negative, zero or positive, as `Array.prototype.sort` wants it. */
export function compareVersions(left, right) {
  const a = parseVersion(left);
  const b = parseVersion(right);
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

export function satisfies(version, range) {
  return range.split('||').some((part) => {
    const wanted = part.trim();
    const atLeast = compareVersions(version, wanted) >= 0;
    if (wanted.startsWith('^')) return atLeast && parseVersion(version)[0] === parseVersion(wanted)[0];
    if (wanted.startsWith('>=')) return atLeast;
    return compareVersions(version, wanted) === 0;
  });
}
