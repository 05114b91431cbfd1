/** What goes along with one question, at most: files, resources and prompts together. */
export const MOST_ATTACHMENTS = 20;
