import { signal } from '@preact/signals'

/** A transfer or swap on the chain. */
export interface Watched {
  readonly txId: number
  readonly isSwap: boolean
}

/** The transfer in the page's URL: `?transfer=7` or `?swap=7`. */
export const linked = signal(readLink(new URLSearchParams(location.search)))

function readLink(query: URLSearchParams): Watched | undefined {
  const isSwap = query.has('swap')
  const id = query.get(isSwap ? 'swap' : 'transfer') ?? ''
  return /^[1-9]\d{0,14}$/.test(id) ? { txId: Number(id), isSwap } : undefined
}

/** Shows the transfer's link in the address bar, so that the user can reload the page or share the link. */
export function showLink(watched: Watched | undefined): void {
  const query = watched === undefined ? '' : `?${watched.isSwap ? 'swap' : 'transfer'}=${watched.txId}`
  if (location.search !== query) history.replaceState(null, '', location.pathname + query)
}
