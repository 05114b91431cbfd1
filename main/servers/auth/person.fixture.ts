/** The person at the browser, for tests: opens a page of a login server, follows it to the loopback address, and sees what stands there. */
export const visit = async (address: string, change: (callback: URL) => void = () => {}): Promise<{ readonly callback: URL; readonly status: number; readonly page: string }> => {
  let url = new URL(address);
  for (let hop = 0; hop < 5; hop += 1) {
    const response = await fetch(url, { redirect: 'manual' });
    const location = response.headers.get('location');
    if (location === null) return { callback: url, status: response.status, page: await response.text() };
    await response.body?.cancel();
    url = new URL(location, url);
    if (url.pathname === '/callback') change(url);
  }
  throw new Error('too many redirects');
};
