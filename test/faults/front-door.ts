/** Where clients find the servers that run, one after the other; while none runs, they wait. */
export interface FrontDoor {
  open(url: string): void
  /** Sends nobody to that server any more; without a URL to none. */
  close(url?: string): void
  /** The URL of a server, as soon as one listens. */
  find(): Promise<string>
}

export function createFrontDoor(): FrontDoor {
  const present: string[] = []
  let waiting: ((url: string) => void)[] = []
  return {
    open(url) {
      present.push(url)
      for (const enter of waiting) enter(url)
      waiting = []
    },
    close(url) {
      if (url === undefined) present.length = 0
      else if (present.includes(url)) present.splice(present.indexOf(url), 1)
    },
    async find() {
      const [next] = present.splice(0, 1)
      if (next === undefined) return new Promise(resolve => waiting.push(resolve))
      present.push(next)
      return next
    }
  }
}
