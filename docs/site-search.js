/* Lets the search work in pages that are opened from a folder: browsers start no worker there, so its script runs in a
   hidden frame that speaks the same messages. Over HTTP nothing changes. */
"use strict";
(() => {
  if (location.protocol !== "file:") return;

  class FrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.appendChild(this.frame);
      this.inner = this.frame.contentWindow;
      this.inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.inner.importScripts = (...urls) => urls.reduce((before, each) => before.then(() => this.load(each)), Promise.resolve());
      this.ready = this.load(url);
    }

    load(url) {
      return new Promise((resolve, reject) => {
        const script = this.inner.document.createElement("script");
        script.src = new URL(url, location.href).href;
        script.onload = resolve;
        script.onerror = reject;
        this.inner.document.body.appendChild(script);
      });
    }

    postMessage(data) {
      this.ready.then(() => this.inner.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  }

  /* The search asks for this name to know that it runs in a frame. */
  window.IFrameWorker = window.Worker = FrameWorker;
})();
