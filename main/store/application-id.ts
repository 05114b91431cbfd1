/** Marks a file as ours (PRAGMA application_id): the letters "GNTR". */
export const APPLICATION_ID = 0x474e5452;
