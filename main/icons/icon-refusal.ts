/** Why a picture is not shown. Kept with the server; nothing depends on it but the log and the tests. */
export type IconRefusal =
  /** not https, not a data: of PNG or JPEG, with a user name in it, or http to anything but the server's own loopback origin */
  | 'address_not_allowed'
  /** the name leads to an address that is not public */
  | 'address_not_public'
  | 'redirected_elsewhere'
  | 'not_fetched'
  /** over the bytes that are read */
  | 'too_large'
  /** by its first bytes neither PNG nor JPEG */
  | 'not_png_or_jpeg'
  /** its header claims more pixels than are decoded */
  | 'too_many_pixels'
  | 'not_decoded'
  | 'took_too_long';
