const BUSY_MS = 2

/** Registers a custom validation that accepts everything but blocks the event loop, to simulate a slow machine. */
export default async function plugin(app) {
  app.decorate('customTransValidation', () => {
    const end = performance.now() + BUSY_MS
    while (performance.now() < end);
    return ''
  })
}
