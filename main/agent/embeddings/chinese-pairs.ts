import { likeness, pack, unpack } from './vector.ts';

/** The same in both languages, of what tools are asked for: by these a model shows whether a Chinese request finds what is described in English. */
export const CHINESE_PAIRS: readonly (readonly [english: string, chinese: string])[] = [
  ['List all files in a folder', '列出文件夹里的所有文件'],
  ['What is the weather tomorrow?', '明天天气怎么样？'],
  ['Send an email to a colleague', '给同事发送一封邮件'],
  ['Search the web for recent news', '在网上搜索最近的新闻'],
  ['Create a new table in the database', '在数据库中新建一张表'],
  ['Translate a text into French', '把一段文字翻译成法语'],
  ['Find a route between two cities', '查找两座城市之间的路线'],
  ['Resize an image', '调整图片大小'],
  ['Show the price of a stock', '查看一只股票的价格'],
  ['Add a meeting to my calendar', '在我的日历里添加一次会议'],
  ['Close an issue of the repository', '关闭代码仓库中的一个问题'],
  ['Book a hotel room', '预订酒店房间'],
  ['Convert a document to PDF', '把文档转换成 PDF'],
  ['Play a song', '播放一首歌'],
  ['Restart a virtual machine', '重启一台虚拟机'],
  ['Calculate the average of numbers', '计算一组数字的平均值'],
];
/** Of the pairs: fewer are found by chance, or by a name that both have. */
const LEAST_FOUND = 0.7;

/** Whether each Chinese sentence is nearest to its own English one; both in the order of the pairs. */
export const readsChinese = (english: readonly Float32Array[], chinese: readonly Float32Array[]): boolean => {
  const packed = english.map((one) => unpack(pack(one), one.length)!);
  const found = chinese.filter((asked, own) => packed.every((other, at) => at === own || likeness(asked, other) < likeness(asked, packed[own]!)));
  return found.length >= chinese.length * LEAST_FOUND;
};
