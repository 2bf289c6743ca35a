// Small helps for pages that work without.
(() => {
  'use strict';

  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const parse = (html) => new DOMParser().parseFromString(html, 'text/html');
  // Buttons that do nothing without a script are hidden until there is one.
  const reveal = (root) => all('[data-copy]', root).forEach((button) => { button.hidden = false; });

  // A live region speaks only of what changes after it came into the page.
  const live = document.createElement('p');
  live.className = 'visually-hidden';
  live.setAttribute('role', 'status');
  document.body.append(live);

  // Keeping a part of the page fresh

  const inUse = (region) => {
    const selection = getSelection();
    return region.touched
      || region.element.querySelector('input:focus, select:focus, textarea:focus, form[data-sent]')
      || (!selection.isCollapsed && selection.containsNode(region.element, true));
  };
  // Without an id an element is known again by what it is and says.
  const likeness = (element) => element.tagName + element.getAttribute('href') + element.textContent;
  const replace = (element, fresh) => {
    const focused = element.querySelector(':focus');
    const open = new Map(all('details[id]', element).map((details) => [details.id, details.open]));
    element.replaceChildren(...fresh.childNodes);
    for (const details of all('details[id]', element)) details.open = open.get(details.id) ?? details.open;
    reveal(element);
    if (!focused) return;
    const again = all(focused.tagName, element)
      .find((other) => focused.id ? other.id === focused.id : likeness(other) === likeness(focused));
    if (!again) element.tabIndex = -1;
    (again ?? element).focus({ preventScroll: true });
  };
  // Tells whether there is sense in asking again.
  const refresh = async (region) => {
    const response = await fetch(location.href);
    // Signed out, or gone.
    if (response.redirected || [401, 403, 404].includes(response.status)) return false;
    if (!response.ok) return true;
    const fresh = parse(await response.text()).getElementById(region.element.id);
    if (!fresh) return false;
    // Typing may have begun while the answer was on its way.
    if (inUse(region)) return true;
    const html = fresh.innerHTML;
    if (html !== region.served) replace(region.element, fresh);
    region.served = html;
    return fresh.matches('[data-refresh]');
  };
  for (const element of all('[data-refresh][id]')) {
    // Answers are compared with what came last, not with what the reader made of it.
    const region = { element, served: element.innerHTML, touched: false };
    element.addEventListener('input', () => { region.touched = true; });
    element.addEventListener('reset', () => { region.touched = false; });
    let busy = false;
    const turn = async () => {
      if (document.hidden || busy || inUse(region)) return;
      busy = true;
      if (!await refresh(region).catch(() => true)) {
        clearInterval(timer);
        document.removeEventListener('visibilitychange', turn);
      }
      busy = false;
    };
    const timer = setInterval(turn, (+element.dataset.refresh || 10) * 1000);
    document.addEventListener('visibilitychange', turn);
  }
  reveal(document);

  // Copying

  const copy = async (source) => {
    try {
      await navigator.clipboard.writeText((source.value ?? source.textContent).trim());
      return true;
    } catch {
      // Without a secure context there is no clipboard: leave the text selected.
      if (source.select) source.select();
      else getSelection().selectAllChildren(source);
      return document.execCommand('copy');
    }
  };
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('[data-copy]');
    const source = button && document.querySelector(button.dataset.copy);
    if (!source) return;
    const label = button.querySelector('span') ?? button;
    const said = await copy(source) ? 'Copied' : 'Selected, press Ctrl+C';
    button.dataset.label ??= label.textContent;
    label.textContent = live.textContent = said;
    clearTimeout(button.timer);
    button.timer = setTimeout(() => {
      label.textContent = button.dataset.label;
      live.textContent = '';
    }, 2000);
  });

  // Checking a text while it is written

  const checks = new WeakMap();
  document.addEventListener('input', (event) => {
    const form = event.target.form;
    const into = form?.dataset.check && document.querySelector(form.dataset.checkInto);
    if (!into) return;
    checks.get(form)?.abort();
    const newest = new AbortController();
    const { signal } = newest;
    checks.set(form, newest);
    setTimeout(async () => {
      if (signal.aborted) return;
      try {
        const body = new URLSearchParams(new FormData(form));
        const response = await fetch(form.dataset.check, { method: 'POST', body, signal });
        if (!response.ok || response.redirected) return;
        into.replaceChildren(...parse(await response.text()).body.childNodes);
        reveal(into);
      } catch {
        // Overtaken, or offline: the last answer stays.
      }
    }, 400);
  });

  // Sending once

  const disable = (form, disabled) => {
    form.toggleAttribute('data-sent', disabled);
    for (const button of form.elements) {
      if (button.type === 'submit') button.disabled = disabled;
    }
  };
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!form.matches('[data-once]')) return;
    if (form.matches('[data-sent]')) event.preventDefault();
    // Later, for a disabled button does not send its own name.
    else if (!event.defaultPrevented) {
      form.toggleAttribute('data-sent', true);
      setTimeout(disable, 0, form, true);
    }
  });
  // The page may come back out of the browser's memory as it was left.
  addEventListener('pageshow', () => all('form[data-sent]').forEach((form) => disable(form, false)));
})();
