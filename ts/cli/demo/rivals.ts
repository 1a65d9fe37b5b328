/** What can stand beside Handrail. */
export const RIVALS = ['child_process', 'execa'] as const;
export type Rival = (typeof RIVALS)[number];
