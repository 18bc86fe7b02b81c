import { type Signal, signal } from '@preact/signals'
import { type Problem, problemOf } from '../service.ts'

/** A value loaded from the service. */
export type Loadable<T> =
  | { readonly status: 'idle' }
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly value: T }
  | { readonly status: 'failed'; readonly problem: Problem }

export interface Loader<T> {
  readonly state: Signal<Loadable<T>>
  /** Loads the value. Cancels a load in progress and ignores its response. */
  load(request: (signal: AbortSignal) => Promise<T>): Promise<void>
  /** Aborts a load in progress, which then fails. */
  cancel(): void
  reset(): void
}

export function createLoader<T>(): Loader<T> {
  const state = signal<Loadable<T>>({ status: 'idle' })
  let current = new AbortController()

  return {
    state,
    async load(request) {
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
    cancel: () => current.abort(),
    reset() {
      current.abort()
      current = new AbortController()
      state.value = { status: 'idle' }
    }
  }
}

export function readyValue<T>(state: Loadable<T>): T | undefined {
  return state.status === 'ready' ? state.value : undefined
}
