/**
 * Keeps what `load` answered for a while. Whoever asks meanwhile shares one call; a failure is not kept.
 * @param now clock in milliseconds
 */
export function briefly<T>(
  lifetimeMs: number,
  load: () => Promise<T>,
  now: () => number = Date.now
): () => Promise<T> {
  let kept: { value: Promise<T>; until: number } | undefined

  return () => {
    if (kept !== undefined && now() < kept.until) return kept.value
    const loading = { value: load(), until: Number.POSITIVE_INFINITY }
    kept = loading
    loading.value.then(
      () => {
        loading.until = now() + lifetimeMs
      },
      () => {
        if (kept === loading) kept = undefined
      }
    )
    return loading.value
  }
}
