/** What lifts a reason. */
export type NativeAdvice =
  | { kind: 'replace'; command: string; cwd?: string }
  | {
      kind: 'option';
      name: 'allow' | 'trustInterpreters' | 'path';
      value: string | { program: string; args: string[] };
    }
  | { kind: 'approve' };
