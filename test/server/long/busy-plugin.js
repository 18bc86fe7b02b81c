const BUSY_MS = 2

/** A custom validation that accepts everything and keeps the process busy, as if the machine were slow. */
export default async function plugin(app) {
  app.decorate('customTransValidation', () => {
    const end = performance.now() + BUSY_MS
    while (performance.now() < end);
    return ''
  })
}
