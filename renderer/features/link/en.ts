export const en = {
  title: 'A link from outside',
  nothing_done: 'Another program asked Gantry to open this link. Nothing was installed, connected or changed by it.',
  whole: 'The link, whole',
  length: '{{count}} characters',
  reading: 'Looking for it in the market.',
  entry: 'It leads to an app in the market:',
  look: 'Look at it in the market',
  no_entry: 'It leads to an app that is not in this market.',
  unknown: 'Gantry does not know what this link asks for. If you expected an app, look for it in the market by its name.',
  too_long: 'A link was opened that is too long to be one',
  too_long_body: 'Gantry looks at links of up to 8,192 characters. This one was left unread.',
  to_market: 'Go to the market',
} as const;
