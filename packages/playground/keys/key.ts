/** Signs as the paying user on the chains of one family. */
export interface Key {
  readonly address: string
  /** The signature in the form that the service reads (interface 6.37). */
  sign(message: string): Promise<string>
}
