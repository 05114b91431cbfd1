import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSelectionWords } from './assets.ts';
import { rankTools } from './rank.ts';
import { readRequest } from './request.ts';
import { ToolIndex } from './tool-index.ts';
import { chunksOf } from './words.ts';

const words = await readSelectionWords(fileURLToPath(new URL('../../../assets/selection', import.meta.url)));
const { bilingual } = words;
const index = new ToolIndex(words);

/** The words of a text, each with what it means first. */
const read = (text: string): string[] => chunksOf(text).flatMap(({ word, han }) => (han ? bilingual.wordsOf(word).map((one) => one.meanings[0]?.word ?? one.word) : [word]));
const cut = (run: string): string[] => bilingual.wordsOf(run).map(({ word }) => word);

test.each([
  ['从政府数据网站下载', ['政府', '数据', '网站', '下载']],
  ['在线应用用户', ['在线', '应用', '用户']],
  ['给我看这个项目用的依赖', ['给我看', '项目', '依赖']],
  ['一共有多少个文档', ['文档']],
] as const)('SE52 %s is cut into the fewest words that stand in the dictionary', (run, expected) => {
  expect(cut(run)).toEqual(expected);
});

test('SE52 a name written by its sound stays whole and means nothing; numbers are none', () => {
  expect(bilingual.wordsOf('雁栖湖')).toEqual([{ word: '雁栖湖', meanings: [] }]);
  expect(read('存三万元住五年')).toEqual(['save', 'three', 'ten', 'thousand', 'yuan', 'stay', 'five', 'year']);
});

test('SE53 a word of computing, money, travel and the like means what tools call it, with every word of it', () => {
  expect(read('帮我把应用部署到容器组')).toEqual(['app', 'deploy', 'pod']);
  expect(read('查询股价和汇率')).toEqual(['search', 'stock', 'price', 'exchange', 'rate']);
  expect(read('告诉我附近的景点')).toEqual(['tell', 'nearby', 'attraction']);
});

test('SE54 what only asks, counts or points says nothing', () => {
  const asked = (text: string): unknown => readRequest(text, index).terms.map(({ words: alternatives, worth }) => [alternatives, worth]);
  expect(asked('请帮我翻译一下这份合同，谢谢')).toEqual(asked('翻译合同'));
  expect(asked('我想要你给我推荐一个酒店')).toEqual(asked('给我推荐酒店'));
});

test.each([
  ['請幫我查詢資料庫裡的訂單', '请帮我查询资料库里的订单'],
  ['把檔案轉換成 PDF', '把档案转换成 PDF'],
  ['下載這張圖片', '下载这张图片'],
  ['ＰＤＦ文件２個', 'PDF文件2个'],
])('SE55 %s is read as %s', (written, simple) => {
  expect(read(written)).toEqual(read(simple));
  expect(readRequest(written, index).terms).toEqual(readRequest(simple, index).terms);
});

test('SE55 a character that simplified words are written with stays as it is', () => {
  expect(cut('什么时候')).toEqual([]);
  expect(read('著名作者')).not.toContain('着名作者');
});

test('SE56 whatever run of Chinese is read, its words are parts of it in its order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0x4e00, max: 0x9fff }), { minLength: 1, maxLength: 200 }), (codes) => {
      let from = 0;
      const run = String.fromCharCode(...codes);
      const simple = bilingual.simplified(run);
      for (const { word } of bilingual.wordsOf(run).filter((one) => /\p{Script=Han}/u.test(one.word))) {
        const at = simple.indexOf(word, from);
        expect(at).toBeGreaterThanOrEqual(from);
        from = at + word.length;
      }
    }),
    { numRuns: 100 },
  );
});

/**
 * Chinese requests over the lists of real servers: what is asked, and the tools that do it, any of them (`<list>/<tool>`; several lists have the same
 * tool). Written from the names of the tools alone, before any ranking was seen. Those at even places were looked at while the words were
 * worked on, those at odd places never.
 */
const REQUESTS: readonly (readonly [asked: string, ...tools: string[]])[] = [
  ['帮我在爱彼迎上找东京下周末能住四个人的民宿', 'airbnb/airbnb_search'],
  ['把这个文件夹里的旧日志移动到归档目录', 'filesystem/move_file', 'desktop-commander/move_file'],
  ['看看最近一次构建为什么失败，把日志给我', 'circleci/get_build_failure_logs'],
  ['给当前网页截个图', 'playwright/browser_take_screenshot', 'browsermcp/browser_screenshot', 'executeautomation-playwright/playwright_screenshot'],
  ['找出那些时好时坏的不稳定测试', 'circleci/find_flaky_tests'],
  ['在仓库里新建一个议题，标题是“登录页面崩溃”', 'github-legacy/create_issue'],
  ['列出 default 命名空间里的所有容器组', 'kubernetes-go/pods_list_in_namespace', 'kubernetes-go/pods_list', 'kubernetes-node/kubectl_get'],
  ['把副本数量扩容到五个', 'kubernetes-go/resources_scale', 'kubernetes-node/kubectl_scale'],
  ['画一张用户登录的流程图', 'mermaid/generate_mermaid_diagram'],
  ['我的电脑现在 CPU 和内存占用多少？', 'app-system-monitor/get-system-info', 'app-system-monitor/poll-system-stats'],
  ['下载设计稿里用到的图标和图片', 'figma-framelink/download_figma_images'],
  ['合并第 42 号拉取请求', 'github-legacy/merge_pull_request'],
  ['统计订单集合里一共有多少个文档', 'mongodb/count'],
  ['给用户集合的邮箱字段建立唯一索引', 'mongodb/create-index'],
  ['把当前网页保存成 PDF', 'executeautomation-playwright/playwright_save_as_pdf'],
  ['强制结束进程号为 4312 的程序', 'desktop-commander/kill_process', 'desktop-commander/force_terminate'],
  ['在知识图谱里记住：小王是产品经理', 'memory/create_entities', 'memory/add_observations'],
  ['查一下有哪些论文和这篇相似', 'firecrawl/firecrawl_research_related_papers', 'firecrawl/firecrawl_research_search_papers'],
  ['抓取这个网址的正文内容并转成 Markdown', 'firecrawl/firecrawl_scrape', 'tavily/tavily_extract'],
  ['用集群的安装包管理器安装一个 chart', 'kubernetes-node/install_helm_chart'],
  ['在地图上显示杭州西湖', 'app-map/show-map'],
  ['把地址“南京路100号”转换成经纬度', 'app-map/geocode'],
  ['浏览器控制台里有没有报错信息？', 'playwright/browser_console_messages', 'browsermcp/browser_get_console_logs', 'executeautomation-playwright/playwright_console_logs'],
  ['重命名数据库里的“临时”集合', 'mongodb/rename-collection'],
  ['对这几个文件做代码规范检查', 'eslint/lint-files'],
  ['上传简历到网页上的文件选择框', 'playwright/browser_file_upload', 'executeautomation-playwright/playwright_upload_file'],
  ['从主干拉一个新分支叫 feature-login', 'github-legacy/create_branch'],
  ['显示整个项目目录的树形结构', 'filesystem/directory_tree'],
  ['公司今年各部门的预算分配情况怎么样', 'app-budget/get-budget-data'],
  ['列出客户关系系统里的所有自动化工作流', 'hubspot/hubspot-list-workflows'],
  ['后退到上一个页面', 'playwright/browser_navigate_back', 'browsermcp/browser_go_back', 'executeautomation-playwright/playwright_go_back'],
  ['删掉名为 nginx 的容器组', 'kubernetes-go/pods_delete', 'kubernetes-node/kubectl_delete', 'kubernetes-go/resources_delete'],
  ['谁审查过这个合并请求，给了什么评审意见？', 'github-legacy/get_pull_request_reviews', 'github-legacy/get_pull_request_comments'],
  ['读取这张图片文件', 'filesystem/read_media_file', 'filesystem/read_file', 'desktop-commander/read_file'],
  ['运行一段 Python 代码，算一下复利', 'code-runner/run-code'],
  ['每天监控竞争对手的网页有没有变化', 'firecrawl/firecrawl_monitor_create'],
  ['把本地端口转发到集群里的服务', 'kubernetes-node/port_forward'],
  ['回滚上一次部署', 'circleci/run_rollback_pipeline', 'kubernetes-node/kubectl_rollout'],
  ['查询 React 这个库的最新官方文档', 'context7/query-docs', 'context7/resolve-library-id'],
  ['把两个数字加起来', 'everything/get-sum', 'hello-world/add'],
];

const folder = join(process.env['GANTRY_SHARED'] ?? resolve(fileURLToPath(new URL('../../..', import.meta.url)), '../shared'), 'toollists');
test.skipIf(!existsSync(folder))('SE51 of 40 Chinese requests over 337 tools of real servers 38 have the right tool among the first 5, 34 at the very first place (skipped without ../shared/toollists)', () => {
  const all = new ToolIndex(words);
  const names = new Set<string>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const list = file.slice(0, -'.json'.length);
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { result: { tools: { name: string; title?: string; description?: string; inputSchema?: unknown }[] } };
    for (const definition of result.tools) {
      names.add(`${list}/${definition.name}`);
      all.add({ id: `${list}/${definition.name}`, serverId: list, serverTitle: list, definition });
    }
  }
  const places = REQUESTS.map(([asked, ...tools]) => {
    for (const tool of tools) expect(names).toContain(tool);
    return rankTools(asked, all, { count: 5 }).findIndex(({ id }) => tools.includes(id));
  });
  expect(places.filter((place) => place >= 0).length).toBeGreaterThanOrEqual(38);
  expect(places.filter((place) => place === 0).length).toBeGreaterThanOrEqual(34);
});
