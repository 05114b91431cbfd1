/** The promise's value in a box, or null when `ms` passed first; the promise goes on, and its late failure is nobody's crash. */
export const within = async <T>(ms: number, promise: Promise<T>): Promise<{ readonly value: T } | null> => {
  promise.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([promise.then((value) => ({ value })), late]);
  } finally {
    clearTimeout(timer);
  }
};
