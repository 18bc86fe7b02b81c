/** Something that is to happen, unless it was taken back. */
export interface Event {
  at: number
  action: (() => void) | undefined
}

/** Events by their time; those of one moment in the order in which they were announced. */
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
  let announced = 0

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
      heap.push({ event, order: announced++ })
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
