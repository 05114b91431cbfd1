/** The words of what lies outside the window: tray, menu, notifications, questions of the system. Both by hand; `{n}` is a number, `{name}` a plain name. */
const en = {
  open: 'Open Gantry',
  quit: 'Quit Gantry',
  stopAll: 'Stop all calls',
  resume: 'Let calls go on',
  nothingWaits: 'Nothing awaits you',
  approvals: { one: '1 approval awaits you', other: '{n} approvals await you' },
  questions: { one: '1 question of a server awaits you', other: '{n} questions of servers await you' },
  things: { one: '1 thing awaits you', other: '{n} things await you' },
  serversNeed: { one: '1 server needs attention', other: '{n} servers need attention' },
  stopped: 'All calls are stopped',
  running: { one: '1 call is running', other: '{n} calls are running' },
  notice: {
    one: 'An approval awaits you',
    oneBody: '{who} wants to use {name}. Nothing is sent before you decide in Gantry.',
    manyBody: 'Nothing is sent before you decide in Gantry.',
    question: 'A server asks you something',
    questionBody: { form: '{name} asks you to fill in a form. Its call waits until you answer in Gantry.', url: '{name} asks you to open a page. Its call waits until you answer in Gantry.', sampling: '{name} asks for an answer of your model. Its call waits until you decide in Gantry.' },
    manyQuestionsBody: 'Their calls wait until you answer in Gantry.',
    agent: 'The agent',
    user: 'Your try-out',
    script: 'A script on this computer',
    other: 'Another program',
  },
  quitTitle: 'Quit Gantry?',
  quitRunning: { one: 'One call is running. It is stopped; if it may change something, its outcome may stay unknown, and it is not repeated.', other: '{n} calls are running. They are stopped; where one may change something, its outcome may stay unknown, and it is not repeated.' },
  quitWaiting: { one: 'One approval waits for you. Nothing is sent; it waits on at the next start until it expires.', other: '{n} approvals wait for you. Nothing is sent; they wait on at the next start until they expire.' },
  quitServers: { one: 'One server ends with Gantry.', other: '{n} servers end with Gantry.' },
  quitAnyway: 'Quit',
  stay: 'Stay',
  trayTitle: 'Gantry goes on in the tray',
  trayBody: 'Servers stay connected and calls go on. Quit from the menu of the tray icon. Where your desktop shows no tray, starting Gantry again brings the window back. You can change this in Settings.',
  understood: 'Understood',
  crashedTitle: 'The window of Gantry stopped several times',
  crashedBody: 'The host, its servers and its calls are not affected. Open the window again, or leave it closed and quit from the tray.',
  crashedOpen: 'Open again',
  crashedLeave: 'Leave it closed',
  menu: { file: 'File', edit: 'Edit', view: 'View', window: 'Window', undo: 'Undo', redo: 'Redo', cut: 'Cut', copy: 'Copy', paste: 'Paste', selectAll: 'Select all', actualSize: 'Actual size', zoomIn: 'Larger', zoomOut: 'Smaller', fullScreen: 'Full screen', minimize: 'Minimize', close: 'Close window', about: 'About Gantry', hide: 'Hide Gantry', hideOthers: 'Hide others', showAll: 'Show all', settings: 'Settings', front: 'Bring all to front', devTools: 'Developer tools' },
} as const;

type Words<T> = { readonly [K in keyof T]: T[K] extends string ? string : Words<T[K]> };
export type DesktopWords = Words<typeof en>;

const zh: DesktopWords = {
  open: '打开 Gantry',
  quit: '退出 Gantry',
  stopAll: '停止所有调用',
  resume: '恢复调用',
  nothingWaits: '没有待处理的事项',
  approvals: { one: '1 项审批等待你', other: '{n} 项审批等待你' },
  questions: { one: '1 个服务器提问等待你', other: '{n} 个服务器提问等待你' },
  things: { one: '1 个事项等待你', other: '{n} 个事项等待你' },
  serversNeed: { one: '1 台服务器需要处理', other: '{n} 台服务器需要处理' },
  stopped: '所有调用已停止',
  running: { one: '1 个调用正在运行', other: '{n} 个调用正在运行' },
  notice: {
    one: '有一项审批等待你',
    oneBody: '{who}想使用 {name}。在你于 Gantry 中决定之前，不会发送任何内容。',
    manyBody: '在你于 Gantry 中决定之前，不会发送任何内容。',
    question: '有服务器在向你提问',
    questionBody: { form: '{name} 请你填写表单。在你于 Gantry 中回答之前，它的调用会一直等待。', url: '{name} 请你打开网页。在你于 Gantry 中回答之前，它的调用会一直等待。', sampling: '{name} 想让你的模型作答。在你于 Gantry 中决定之前，它的调用会一直等待。' },
    manyQuestionsBody: '在你于 Gantry 中回答之前，它们的调用会一直等待。',
    agent: '智能体',
    user: '你的试用',
    script: '此电脑上的脚本',
    other: '另一个程序',
  },
  quitTitle: '退出 Gantry？',
  quitRunning: { one: '1 个调用正在运行。它将被停止；若它可能改变数据，结果可能无法得知，且不会重复执行。', other: '{n} 个调用正在运行。它们将被停止；其中可能改变数据的，结果可能无法得知，且不会重复执行。' },
  quitWaiting: { one: '1 项审批在等待你。不会发送任何内容；下次启动后它继续等待，直至过期。', other: '{n} 项审批在等待你。不会发送任何内容；下次启动后它们继续等待，直至过期。' },
  quitServers: { one: '1 台服务器将随 Gantry 结束。', other: '{n} 台服务器将随 Gantry 结束。' },
  quitAnyway: '退出',
  stay: '留下',
  trayTitle: 'Gantry 在托盘中继续运行',
  trayBody: '服务器保持连接，调用继续进行。可从托盘图标的菜单退出。若你的桌面不显示托盘，再次启动 Gantry 即可找回窗口。可在“设置”中更改。',
  understood: '知道了',
  crashedTitle: 'Gantry 的窗口多次停止工作',
  crashedBody: '宿主、服务器和调用不受影响。可重新打开窗口，或让它保持关闭并从托盘退出。',
  crashedOpen: '重新打开',
  crashedLeave: '保持关闭',
  menu: { file: '文件', edit: '编辑', view: '视图', window: '窗口', undo: '撤销', redo: '重做', cut: '剪切', copy: '复制', paste: '粘贴', selectAll: '全选', actualSize: '实际大小', zoomIn: '放大', zoomOut: '缩小', fullScreen: '全屏', minimize: '最小化', close: '关闭窗口', about: '关于 Gantry', hide: '隐藏 Gantry', hideOthers: '隐藏其他', showAll: '全部显示', settings: '设置', front: '前置全部窗口', devTools: '开发者工具' },
};

export const desktopWords = { en, zh } as const satisfies Record<string, DesktopWords>;

/** The words by the setting, then by the system's language (a BCP 47 tag), then English. */
export const wordsFor = (setting: 'system' | 'en' | 'zh', systemLanguage: string): DesktopWords =>
  desktopWords[setting === 'system' ? (/^zh\b/i.test(systemLanguage) ? 'zh' : 'en') : setting];

/** The form for `n`, with the number in its place. */
export const counted = (forms: { readonly one: string; readonly other: string }, n: number): string => (n === 1 ? forms.one : forms.other.replace('{n}', String(n)));
