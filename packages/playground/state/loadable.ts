import { computed, signal } from '@preact/signals'
import { type Problem, problemOf } from '../service.ts'

/** A value loaded from the service. */
type Loadable<T> =
  | { readonly status: 'idle' }
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly value: T }
  | { readonly status: 'failed'; readonly problem: Problem }

export function createLoader<T>() {
  const state = signal<Loadable<T>>({ status: 'idle' })
  let current = new AbortController()

  return {
    state,
    /** The value; undefined until it is loaded. */
    value: computed(() => (state.value.status === 'ready' ? state.value.value : undefined)),
    /** Loads the value. Cancels a load in progress and ignores its response. */
    async load(request: (signal: AbortSignal) => Promise<T>): Promise<void> {
      current.abort()
      current = new AbortController()
      const own = current
      state.value = { status: 'loading' }
      const next = await request(own.signal).then(
        value => ({ status: 'ready', value }) as const,
        (error: unknown) => ({ status: 'failed', problem: problemOf(error) }) as const
      )
      if (own === current) state.value = next
    },
    /** Aborts a load in progress, which then fails. */
    cancel: (): void => current.abort(),
    reset(): void {
      current.abort()
      current = new AbortController()
      state.value = { status: 'idle' }
    }
  }
}
