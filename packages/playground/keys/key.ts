/** Signs as the paying user on the chains of one family. */
export interface Key {
  readonly address: string
  /** Returns the signature in the format that the service expects (interface 6.37). */
  sign(message: string): Promise<string>
}
