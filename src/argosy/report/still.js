// A page whose pictures are drawn already: the frame, and answers that lead to their pictures.
answers();
for (const [index, button] of find("answer-table").querySelectorAll("tbody button").entries()) button.addEventListener("click", () => find(`answer-${index + 1}`).scrollIntoView());
ready();
