/** A failed step of the demo; the message says which and why. */
export class DemoError extends Error {
  override name = 'DemoError'
}
