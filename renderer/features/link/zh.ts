export const zh = {
  title: '来自外部的链接',
  nothing_done: '另一个程序请 Gantry 打开此链接。它没有安装、连接或更改任何内容。',
  whole: '完整链接',
  length: '{{count}} 个字符',
  reading: '正在市场中查找。',
  entry: '它指向市场中的一个应用：',
  look: '在市场中查看',
  no_entry: '它指向的应用不在此市场中。',
  unknown: 'Gantry 不明白此链接要做什么。如果您想要的是某个应用，请在市场中按名称查找。',
  too_long: '打开的链接过长，不像是链接',
  too_long_body: 'Gantry 只查看不超过 8,192 个字符的链接。这一个没有被读取。',
  to_market: '前往市场',
} as const;
