/** A random order. In a fixed one, the runner after a slow one would always bear the work that it leaves behind. */
export function shuffled(names) {
  const order = [...names];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}
