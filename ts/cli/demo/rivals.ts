/** The libraries that the demonstration can show beside Handrail. */
export const RIVALS = ['child_process', 'execa'] as const;
export type Rival = (typeof RIVALS)[number];
