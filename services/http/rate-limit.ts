import { LRUCache } from 'lru-cache'
import { upTo } from '../caches/capacity.ts'
import { canonicalAddress } from './client-address.ts'

/** Of more clients, those that sent nothing for the longest time start anew. */
const MOST_CLIENTS = 5000

interface Window {
  count: number
  /** Milliseconds of the process's own clock, which nobody sets. */
  endsAt: number
}

/**
 * Counts the requests of each client address in windows of time, which begin with a request (interface 14.9).
 * @returns a function that counts a request and returns 0, or the milliseconds that its client must wait
 */
export function createRateLimit({ max, windowMs }: { max: number; windowMs: number }) {
  const windows = new LRUCache<string, Window>(upTo(MOST_CLIENTS))

  return (address: string): number => {
    const client = clientOf(address)
    const now = performance.now()
    const window = windows.get(client)
    if (window === undefined || window.endsAt <= now) {
      windows.set(client, { count: 1, endsAt: now + windowMs })
      return 0
    }
    window.count += 1
    return window.count > max ? window.endsAt - now : 0
  }
}

/** The client at an address: an IPv6 client is its /64 network, in one of all its spellings (interface 14.10). */
export function clientOf(address: string): string {
  // Only what has a colon is worth a closer look.
  if (!address.includes(':')) return address.toLowerCase()
  const canonical = canonicalAddress(address)
  if (canonical === undefined || !canonical.includes(':')) return canonical ?? address.toLowerCase()
  const [head = '', tail = ''] = canonical.split('::')
  const left = groupsOf(head)
  const right = groupsOf(tail)
  const groups = [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
  return groups
    .slice(0, 4)
    .map(group => group.toString(16))
    .join(':')
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16))
}
