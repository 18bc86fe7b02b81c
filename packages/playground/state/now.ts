import { signal } from '@preact/signals'

let timer: ReturnType<typeof setInterval> | undefined

/** The current time, updated every second while the page displays it. */
export const now = signal(Date.now(), {
  watched() {
    this.value = Date.now()
    timer = setInterval(() => {
      this.value = Date.now()
    }, 1000)
  },
  unwatched() {
    clearInterval(timer)
  }
})
