/**
 * Keeps what `load` answered for each key for a while, its failures too: whoever asks meanwhile shares one call.
 * Beyond `maxKeys` the keys whose calls began first are forgotten.
 * @param options.now clock in milliseconds
 */
export function brieflyByKey<T>(
  options: { lifetimeMs: number; maxKeys: number; now?: () => number },
  load: (key: string) => Promise<T>
): (key: string) => Promise<T> {
  const { lifetimeMs, maxKeys, now = Date.now } = options
  const kept = new Map<string, { outcome: Promise<T>; until: number }>()

  return key => {
    const known = kept.get(key)
    if (known !== undefined && now() < known.until) return known.outcome
    const loading = { outcome: load(key), until: Number.POSITIVE_INFINITY }
    const settle = () => {
      loading.until = now() + lifetimeMs
    }
    loading.outcome.then(settle, settle)
    // Set anew, it comes last in the map's order, which is the order of forgetting.
    kept.delete(key)
    kept.set(key, loading)
    const [oldest = key] = kept.keys()
    if (kept.size > maxKeys) kept.delete(oldest)
    return loading.outcome
  }
}
