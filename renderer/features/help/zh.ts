export const zh = {
  contents: '指南目录',
  next: '下一页：{{title}}',
  toStart: '回到指南开头',
  failed: { title: '无法读取指南', body: '指南是窗口自带的文件。请重新载入窗口，再打开指南。' },
  noPage: { title: '指南中没有这一页', body: '指南里没有“{{name}}”这一页，链接可能已过时。' },
} as const;
