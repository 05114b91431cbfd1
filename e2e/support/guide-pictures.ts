/** The pictures of the guide, by the name of their file, in the order in which the journey takes them. */
export const GUIDE_PICTURES = ['first-steps', 'market', 'import', 'network', 'consent', 'server', 'try', 'approval', 'run'] as const;
export type GuidePicture = (typeof GUIDE_PICTURES)[number];
