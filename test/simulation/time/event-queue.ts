/** A scheduled action; undefined once it was cancelled. */
export interface Event {
  at: number
  action: (() => void) | undefined
}

/** Events ordered by time; those of the same time in the order in which they were pushed. */
export interface EventQueue {
  push(event: Event): void
  pop(): Event | undefined
}

interface Entry {
  event: Event
  order: number
}

const isBefore = (a: Entry, b: Entry) =>
  a.event.at === b.event.at ? a.order < b.order : a.event.at < b.event.at

/** A binary heap. */
export function createEventQueue(): EventQueue {
  const heap: Entry[] = []
  let pushed = 0

  function swapIfBefore(child: number, parent: number): boolean {
    const lower = heap[child]
    const upper = heap[parent]
    if (!lower || !upper || !isBefore(lower, upper)) return false
    heap[child] = upper
    heap[parent] = lower
    return true
  }

  function sink(): void {
    let parent = 0
    for (;;) {
      const left = 2 * parent + 1
      const a = heap[left]
      const b = heap[left + 1]
      if (!a) return
      const child = b && isBefore(b, a) ? left + 1 : left
      if (!swapIfBefore(child, parent)) return
      parent = child
    }
  }

  return {
    push(event) {
      heap.push({ event, order: pushed++ })
      let child = heap.length - 1
      while (child > 0 && swapIfBefore(child, (child - 1) >> 1)) child = (child - 1) >> 1
    },
    pop() {
      const [first] = heap
      const last = heap.pop()
      if (!first || !last || first === last) return first?.event
      heap[0] = last
      sink()
      return first.event
    }
  }
}
