/** What browsers say where a part of the window, its program or its style, could not be fetched. */
const NOT_FETCHED = /dynamically imported module|preload CSS|importing a module script/i;

/** A part of the window was not there to be had: the host is gone, or another version of it serves other parts. Only a window that is loaded anew asks again. */
export const isNotFetched = (error: unknown): boolean => error instanceof Error && NOT_FETCHED.test(error.message);
