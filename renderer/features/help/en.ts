export const en = {
  contents: 'Pages of the guide',
  next: 'Next: {{title}}',
  toStart: 'To the beginning of the guide',
  failed: { title: 'The guide could not be read', body: 'Its files are part of the window. Reload the window, then open the guide again.' },
  noPage: { title: 'The guide has no such page', body: '“{{name}}” is no page of the guide. The link may be old.' },
} as const;
