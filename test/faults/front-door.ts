/** Where clients find the running server; while none runs, they wait. */
export interface FrontDoor {
  open(url: string): void
  close(): void
  /** The server's URL, as soon as one listens. */
  find(): Promise<string>
}

export function createFrontDoor(): FrontDoor {
  let present: string | undefined
  let waiting: ((url: string) => void)[] = []
  return {
    open(url) {
      present = url
      for (const enter of waiting) enter(url)
      waiting = []
    },
    close() {
      present = undefined
    },
    find: () =>
      present === undefined ? new Promise(resolve => waiting.push(resolve)) : Promise.resolve(present)
  }
}
