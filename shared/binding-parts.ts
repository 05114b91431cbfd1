/** What a turn binds a tool to, in parts (design section 2); `gone`: no server offers it any more. */
export const BINDING_PARTS = ['gone', 'definition', 'launch', 'instructions', 'review'] as const;
export type BindingPart = (typeof BINDING_PARTS)[number];
