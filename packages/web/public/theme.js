// Before anything is drawn, so that nothing flashes: the person's choice of light or dark, where without one the system decides, and
// how close things stand.
try {
  const theme = localStorage.getItem('tailrace-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  if (localStorage.getItem('tailrace-density') === 'compact') document.documentElement.dataset.density = 'compact';
} catch {
  // Storage can be forbidden.
}
