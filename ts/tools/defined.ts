/** What is left of options when those that were not given are taken out. */
export type Defined<Options> = { [Name in keyof Options]?: Exclude<Options[Name], undefined> };

/** The same options without those that are undefined. */
export function withoutUndefined<Options extends object>(options: Options): Defined<Options> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Defined<Options>;
}
