import { isIPv6 } from 'node:net'
import { LRUCache } from 'lru-cache'

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
  const windows = new LRUCache<string, Window>({ max: MOST_CLIENTS })

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
  if (!address.includes(':') || !isIPv6(address)) return address.toLowerCase()
  const [withoutZone = ''] = address.split('%')
  const [head = '', tail] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::')
  const left = groupsOf(head)
  const right = groupsOf(tail ?? '')
  const groups = [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
  const [mark = 0, high = 0, low = 0] = groups.slice(5)
  const isIPv4 = mark === 0xffff && groups.slice(0, 5).every(group => group === 0)
  if (isIPv4) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return groups
    .slice(0, 4)
    .map(group => group.toString(16))
    .join(':')
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16))
}
