/** How the changes of a transaction are listed. */
export interface TransactionChangesOptions {
  /** Most changes that the answer lists; all are counted. Default: 1,000. Range: 1 to 10,000. */
  readonly limit?: number | undefined;
  /** Whether each file and link that is listed has a `diff` of what changed in it, masked. Default: false. */
  readonly diff?: boolean | undefined;
}

/** How a transaction is brought over. */
export interface TransactionCommitOptions extends TransactionChangesOptions {
  /**
   * Whether everything but the conflicts is brought over where there are some; the changes that conflict are dropped with the
   * transaction. Default: false, and nothing is brought over then.
   */
  readonly partly?: boolean | undefined;
  /** `digest` of the changes that were seen. Where there are others by now, nothing is brought over. Default: any. */
  readonly digest?: string | undefined;
}
