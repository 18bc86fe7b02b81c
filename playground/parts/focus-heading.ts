/** For a button that goes away when it is pressed: the focus goes to the heading of its step, not to the top of the page. */
export function focusHeading(button: HTMLElement): void {
  button.closest('section')?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
}
