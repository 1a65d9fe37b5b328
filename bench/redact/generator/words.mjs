// Ordinary words for lines, paths and passwords.
const TEXT =
  'anchor apple arrow autumn basket beacon bridge bronze butter canvas carbon castle cedar chapel cherry circle cloud ' +
  'cobalt copper coral cotton crater crystal dawn delta desert dragon eagle echo ember engine falcon feather fern field ' +
  'flame forest fountain garden garnet glacier granite harbor harvest hazel helmet hollow horizon island ivory jasmine ' +
  'jungle kettle lagoon lantern laurel lemon linen magnet maple marble meadow meteor mirror monsoon mountain nectar ' +
  'needle nickel oasis ocean olive onyx orange orchard otter oyster paper pebble pepper pine planet plume prairie quartz ' +
  'rabbit raven ribbon river rocket saddle saffron sapphire shadow silver spruce summit sunset tangerine temple thunder ' +
  'timber topaz tulip tundra valley velvet violet walnut willow window winter zephyr';

export const WORDS = TEXT.split(' ');
