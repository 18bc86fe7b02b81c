/** Gives clients the URLs of running servers in turn; clients wait while none runs. */
export interface FrontDoor {
  open(url: string): void
  /** Stops sending clients to that server; without a URL, to any server. */
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
