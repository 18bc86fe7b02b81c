/** A failed step of the demo; the message contains the step and the reason. */
export class DemoError extends Error {
  override name = 'DemoError'
}
