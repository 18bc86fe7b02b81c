/** A step of the demo did not go as it should; the message says which and why. */
export class DemoError extends Error {
  override name = 'DemoError'
}
