/** The one list of categories; an entry names one to three of them. Each has a name in both languages. */
export const MARKET_CATEGORIES = {
  'built-in': { en: 'Built in', zh: '内置' },
  files: { en: 'Files', zh: '文件' },
  documents: { en: 'Documents and PDF', zh: '文档与 PDF' },
  documentation: { en: 'Documentation', zh: '开发文档' },
  search: { en: 'Web search', zh: '网络搜索' },
  browser: { en: 'Browser', zh: '浏览器' },
  web: { en: 'Web pages and data', zh: '网页与数据抓取' },
  development: { en: 'Development', zh: '软件开发' },
  'source-code': { en: 'Source code and reviews', zh: '源代码与评审' },
  testing: { en: 'Testing', zh: '测试' },
  database: { en: 'Databases', zh: '数据库' },
  cloud: { en: 'Cloud and clusters', zh: '云与集群' },
  monitoring: { en: 'Monitoring', zh: '监控' },
  productivity: { en: 'Work and projects', zh: '办公与项目' },
  communication: { en: 'Messages', zh: '消息沟通' },
  business: { en: 'Business and payments', zh: '业务与支付' },
  design: { en: 'Design and diagrams', zh: '设计与图表' },
  maps: { en: 'Maps and travel', zh: '地图与出行' },
  memory: { en: 'Memory and thinking', zh: '记忆与思考' },
  ai: { en: 'Models and data sets', zh: '模型与数据集' },
  system: { en: 'This computer', zh: '本机' },
  mobile: { en: 'Phones', zh: '手机' },
  reference: { en: 'Examples and reference', zh: '示例与参考' },
} as const satisfies Record<string, { readonly en: string; readonly zh: string }>;

export type MarketCategory = keyof typeof MARKET_CATEGORIES;
export const MARKET_CATEGORY_NAMES = Object.keys(MARKET_CATEGORIES) as [MarketCategory, ...MarketCategory[]];
