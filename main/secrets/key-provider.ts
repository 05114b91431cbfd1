/** What can open the data key without asking the user. Each method may fail by rejecting and may answer late or never; nothing in a wrap is secret by itself. */
export interface KeyProvider {
  readonly name: 'safeStorage' | 'keychain';
  /** Tried for real, not guessed; false when no key can be kept here. Never rejects. */
  available(): Promise<boolean>;
  /** JSON text for key_wraps. */
  wrap(key: Buffer): Promise<string>;
  unwrap(wrappedJson: string): Promise<Buffer>;
}
