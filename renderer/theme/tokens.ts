/**
 * The one place where Gantry's colours are written. `renderer/theme/css-variables.ts` turns each into `--g-<kebab-name>`;
 * stylesheets use only those. Every pair named in PAIRS holds WCAG AA in both themes (U01, checked by a test).
 *
 * `awaits` fills and draws; text in that hue uses `awaitsText`, because the sketch's orange has 3.7:1 on white.
 */
export interface Tokens {
  readonly ink: string;
  readonly muted: string;
  /** hairlines between rows and around panels: decoration, never the only sign of a control */
  readonly line: string;
  /** outline of inputs and of switches that are off: 3:1 against what is behind */
  readonly edge: string;
  readonly ground: string;
  readonly surface: string;
  readonly hover: string;
  readonly accent: string;
  readonly accentStrong: string;
  readonly accentSoft: string;
  readonly onAccent: string;
  readonly awaits: string;
  readonly awaitsText: string;
  readonly awaitsSoft: string;
  readonly onAwaits: string;
  readonly readOnly: string;
  readonly readOnlySoft: string;
  readonly lowWrite: string;
  readonly lowWriteSoft: string;
  readonly highWrite: string;
  readonly highWriteSoft: string;
  /** ground of text taken from a server, of JSON and of commands */
  readonly code: string;
  /** marks what differs */
  readonly mark: string;
  /** behind a stranger's picture, in both themes the ground its author will have drawn it for */
  readonly picture: string;
}

export const tokens: { readonly light: Tokens; readonly dark: Tokens } = {
  light: {
    ink: '#17202b',
    muted: '#5c6b7a',
    line: '#dfe5eb',
    edge: '#7f8d9b',
    ground: '#f6f8fa',
    surface: '#ffffff',
    hover: '#f1f4f7',
    accent: '#2c5f8a',
    accentStrong: '#234d70',
    accentSoft: '#e6eff7',
    onAccent: '#ffffff',
    awaits: '#d9580d',
    awaitsText: '#b84807',
    awaitsSoft: '#fdeee4',
    onAwaits: '#ffffff',
    readOnly: '#2b7a4b',
    readOnlySoft: '#e5f3ea',
    lowWrite: '#8c5d00',
    lowWriteSoft: '#fdf3d3',
    highWrite: '#b3261e',
    highWriteSoft: '#fdeae8',
    code: '#f6f8fa',
    mark: '#fdf3d3',
    picture: '#ffffff',
  },
  dark: {
    ink: '#e6ebf0',
    muted: '#93a1af',
    line: '#2a333d',
    edge: '#6b7a88',
    ground: '#12171c',
    surface: '#181f26',
    hover: '#1e262e',
    accent: '#7fb2de',
    accentStrong: '#9cc5e8',
    accentSoft: '#1d2c3a',
    onAccent: '#12171c',
    awaits: '#ff9a57',
    awaitsText: '#ff9a57',
    awaitsSoft: '#33231a',
    onAwaits: '#12171c',
    readOnly: '#6cc394',
    readOnlySoft: '#16291f',
    lowWrite: '#e0b34d',
    lowWriteSoft: '#2e2717',
    highWrite: '#ff8a80',
    highWriteSoft: '#351d1c',
    code: '#12171c',
    mark: '#3a3013',
    picture: '#ffffff',
  },
};

type Pair = readonly [front: keyof Tokens, back: keyof Tokens, ratio: 4.5 | 3];

/** What may lie on what: 4.5 for text, 3 for the shapes and outlines that carry meaning. */
export const PAIRS: readonly Pair[] = [
  ...(['ink', 'muted', 'accent', 'awaitsText', 'readOnly', 'lowWrite', 'highWrite'] as const).flatMap((front) =>
    (['ground', 'surface', 'hover', 'code'] as const).map((back): Pair => [front, back, 4.5]),
  ),
  ...(['accentSoft', 'awaitsSoft', 'readOnlySoft', 'lowWriteSoft', 'highWriteSoft', 'mark'] as const).flatMap((back): readonly Pair[] => [
    ['ink', back, 4.5],
    ['muted', back, 4.5],
  ]),
  ['accent', 'accentSoft', 4.5],
  ['awaitsText', 'awaitsSoft', 4.5],
  ['awaitsText', 'accentSoft', 4.5],
  ['highWrite', 'accentSoft', 4.5],
  ['readOnly', 'accentSoft', 4.5],
  ['readOnly', 'readOnlySoft', 4.5],
  ['lowWrite', 'lowWriteSoft', 4.5],
  ['highWrite', 'highWriteSoft', 4.5],
  ['onAccent', 'accent', 4.5],
  ['onAccent', 'accentStrong', 4.5],
  ['onAwaits', 'awaitsText', 4.5],
  ...(['ground', 'surface', 'hover'] as const).flatMap((back): readonly Pair[] => [
    ['edge', back, 3],
    ['accent', back, 3],
    ['awaits', back, 3],
  ]),
];
